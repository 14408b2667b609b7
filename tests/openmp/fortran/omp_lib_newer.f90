! SPDX-License-Identifier: BSD-3-Clause
! Routines that omp_lib got after GCC 12, with the interfaces that GCC 16's omp_lib declares.
module newer
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    logical(4) function omp_in_explicit_task ()
    end function
    integer(c_int) function omp_get_device_from_uid (uid)
      import
      character, intent(in) :: uid(*)
    end function
    function omp_get_uid_from_device (device_num)
      import
      character(:), pointer :: omp_get_uid_from_device
      integer(c_int32_t), intent(in), value :: device_num
    end function
    function omp_get_uid_from_device_8 (device_num)
      import
      character(:), pointer :: omp_get_uid_from_device_8
      integer(c_int64_t), intent(in), value :: device_num
    end function
    function omp_get_interop_str (interop, property_id, ret_code)
      import
      character(:), pointer :: omp_get_interop_str
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
      integer(c_int), optional, intent(out) :: ret_code
    end function
    function omp_get_interop_name (interop, property_id)
      import
      character(:), pointer :: omp_get_interop_name
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
    end function
    function omp_get_interop_type_desc (interop, property_id)
      import
      character(:), pointer :: omp_get_interop_type_desc
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
    end function
    function omp_get_interop_rc_desc (interop, ret_code)
      import
      character(:), pointer :: omp_get_interop_rc_desc
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: ret_code
    end function
  end interface
end module

program omp_lib_newer
  use newer
  implicit none
  integer(c_intptr_t), parameter :: none = 0
  integer(c_int) :: code
  character(:), pointer :: text
  character(30) :: long
  logical :: inside

  inside = .false.
  !$omp task shared(inside) if(.false.)
  inside = omp_in_explicit_task()
  !$omp end task
  if (.not. inside .or. omp_in_explicit_task()) error stop 1

  text => omp_get_uid_from_device(-1)
  if (text /= 'OMP_INITIAL_DEVICE' .or. omp_get_device_from_uid(text) /= 0) error stop 2
  text => omp_get_uid_from_device_8(0_8)
  if (text /= 'OMP_INITIAL_DEVICE') error stop 3
  long = text // 'ABC'
  if (omp_get_device_from_uid(long(1:len(text))) /= 0 .or. omp_get_device_from_uid(long) /= -4) error stop 4
  text => omp_get_uid_from_device_8(2_8**32)
  if (associated(text)) error stop 5

  text => omp_get_interop_str(none, -2, code)
  if (associated(text) .or. code /= -1) error stop 6
  text => omp_get_interop_str(none, -2)
  if (associated(text)) error stop 7
  text => omp_get_interop_name(none, -3)
  if (text /= 'vendor') error stop 8
  text => omp_get_interop_name(none, 0)
  if (associated(text)) error stop 9
  text => omp_get_interop_type_desc(none, -3)
  if (associated(text)) error stop 10
  text => omp_get_interop_rc_desc(none, -2)
  if (text /= 'property ID is out of range') error stop 11
end program
