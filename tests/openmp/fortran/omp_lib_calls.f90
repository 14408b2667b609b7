! SPDX-License-Identifier: BSD-3-Clause
! Every routine of GCC 12's omp_lib that is not a C function there, in both widths. Prints what does not change from
! run to run, so that two libraries can be compared.
program omp_lib_calls
  use omp_lib
  implicit none
  integer :: failures
  integer(omp_event_handle_kind) :: event
  failures = 0
  call values
  call widths
  call regions
  call places
  call texts
  call locks
  call resources
  call events
  if (failures /= 0) error stop 1
contains
  subroutine check (what, holds)
    character(*), intent(in) :: what
    logical, intent(in) :: holds
    if (holds) return
    failures = failures + 1
    print '(2a)', 'failed: ', what
  end subroutine

  subroutine values
    print *, 'threads', omp_get_num_threads(), omp_get_max_threads(), omp_get_thread_num(), omp_in_parallel()
    print *, 'switches', omp_get_dynamic(), omp_get_nested(), omp_in_final(), omp_get_cancellation()
    print *, 'levels', omp_get_max_active_levels(), omp_get_level(), omp_get_active_level()
    print *, 'limits', omp_get_thread_limit(), omp_get_max_task_priority(), omp_get_num_procs()
    print *, 'devices', omp_get_default_device(), omp_get_num_devices(), omp_get_device_num(), &
      omp_get_initial_device(), omp_is_initial_device()
    print *, 'teams', omp_get_num_teams(), omp_get_team_num(), omp_get_max_teams(), omp_get_teams_thread_limit()
    print *, 'allocator', omp_get_default_allocator()
    call check ('supported levels', omp_get_supported_active_levels() > 1)
    call check ('time', omp_get_wtime() >= 0d0 .and. omp_get_wtick() > 0d0)
  end subroutine

  subroutine widths
    integer(omp_sched_kind) :: kind
    integer(4) :: chunk
    integer(8) :: chunk_8
    call omp_set_num_threads (3)
    call check ('threads', omp_get_max_threads() == 3)
    call omp_set_num_threads (2_8)
    call check ('threads of eight bytes', omp_get_max_threads() == 2)
    call omp_set_dynamic (.true.)
    call check ('dynamic', omp_get_dynamic())
    call omp_set_dynamic (.false._8)
    call check ('dynamic of eight bytes', .not. omp_get_dynamic())
    call omp_set_nested (.true.)
    call check ('nested', omp_get_nested())
    call omp_set_nested (.false._8)
    call check ('nested of eight bytes', .not. omp_get_nested())
    call omp_set_max_active_levels (4)
    call check ('levels', omp_get_max_active_levels() == 4)
    call omp_set_max_active_levels (2_8)
    call check ('levels of eight bytes', omp_get_max_active_levels() == 2)
    call omp_set_default_device (3)
    call check ('device', omp_get_default_device() == 3)
    call omp_set_default_device (0_8)
    call check ('device of eight bytes', omp_get_default_device() == 0)
    call omp_set_num_teams (5)
    call check ('teams', omp_get_max_teams() == 5)
    call omp_set_num_teams (0_8)
    call check ('teams of eight bytes', omp_get_max_teams() == 0)
    call omp_set_teams_thread_limit (7)
    call check ('limit of teams', omp_get_teams_thread_limit() == 7)
    call omp_set_teams_thread_limit (0_8)
    call check ('limit of teams of eight bytes', omp_get_teams_thread_limit() == 0)
    call omp_set_schedule (omp_sched_dynamic, 5)
    call omp_get_schedule (kind, chunk)
    call check ('schedule', kind == omp_sched_dynamic .and. chunk == 5)
    call omp_set_schedule (omp_sched_guided, 6_8)
    call omp_get_schedule (kind, chunk_8)
    call check ('schedule of eight bytes', kind == omp_sched_guided .and. chunk_8 == 6_8)
  end subroutine

  subroutine regions
    integer :: wrong, together
    wrong = 0
    together = 0
    !$omp parallel num_threads(2) reduction(+: wrong, together)
    together = together + 1
    if (.not. omp_in_parallel() .or. omp_get_level() /= 1 .or. omp_get_active_level() /= 1) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(0) /= 0) wrong = wrong + 1
    if (omp_get_ancestor_thread_num(1_8) /= omp_get_thread_num()) wrong = wrong + 1
    if (omp_get_team_size(0_8) /= 1 .or. omp_get_team_size(1) /= omp_get_num_threads()) wrong = wrong + 1
    if (omp_get_team_size(2) /= -1) wrong = wrong + 1
    !$omp end parallel
    call check ('regions', wrong == 0 .and. together == 2)
  end subroutine

  subroutine places
    integer(4) :: ids(4096), i
    integer(8) :: ids_8(4096)
    print *, 'places', omp_get_proc_bind(), omp_get_num_places(), omp_get_place_num(), omp_get_partition_num_places()
    do i = 0, omp_get_num_places() - 1
      call check ('processors of a place', omp_get_place_num_procs(i) == omp_get_place_num_procs(int(i, 8)))
      call omp_get_place_proc_ids (i, ids)
      call omp_get_place_proc_ids (int(i, 8), ids_8)
      call check ('ids of a place', all(ids(:omp_get_place_num_procs(i)) == ids_8(:omp_get_place_num_procs(i))))
      print *, 'place', i, ids(:omp_get_place_num_procs(i))
    end do
    call omp_get_partition_place_nums (ids)
    call omp_get_partition_place_nums (ids_8)
    i = omp_get_partition_num_places()
    call check ('partition', all(ids(:i) == ids_8(:i)))
    print *, 'partition', ids(:i)
  end subroutine

  subroutine texts
    character(20) :: buffer
    character(3) :: short
    integer :: length
    call omp_set_affinity_format ('n%{num_threads} l%L   ')
    length = omp_get_affinity_format(buffer)
    print '(a,i0,3a)', 'format ', length, '|', buffer, '|'
    length = omp_get_affinity_format(short)
    print '(a,i0,3a)', 'format ', length, '|', short, '|'
    length = omp_capture_affinity(buffer, 'x%0.4n')
    print '(a,i0,3a)', 'captured ', length, '|', buffer, '|'
    length = omp_capture_affinity(buffer, '%n  ')
    print '(a,i0,3a)', 'captured ', length, '|', buffer, '|'
    length = omp_capture_affinity(short, '')
    print '(a,i0,3a)', 'captured ', length, '|', short, '|'
    call omp_display_affinity ('shown %L')
    call omp_display_env (.false.)
    call omp_display_env (.false._8)
  end subroutine

  subroutine locks
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest
    logical :: taken
    integer :: count, i
    call omp_init_lock (lock)
    call omp_init_nest_lock (nest)
    count = 0
    !$omp parallel do num_threads(4)
    do i = 1, 1000
      call omp_set_lock (lock)
      count = count + 1
      call omp_unset_lock (lock)
      call omp_set_nest_lock (nest)
      call omp_set_nest_lock (nest)
      count = count + omp_test_nest_lock(nest) - 3
      call omp_unset_nest_lock (nest)
      call omp_unset_nest_lock (nest)
      call omp_unset_nest_lock (nest)
    end do
    call check ('a held lock is not taken', .not. held(lock))
    taken = omp_test_lock(lock)
    call check ('a free lock is taken', taken)
    call omp_unset_lock (lock)
    call omp_destroy_nest_lock (nest)
    call omp_destroy_lock (lock)
  end subroutine

  logical function held (lock)
    integer(omp_lock_kind), intent(inout) :: lock
    call omp_set_lock (lock)
    held = omp_test_lock(lock)
    call omp_unset_lock (lock)
  end function

  subroutine resources
    type(omp_alloctrait) :: traits(1)
    integer(omp_allocator_handle_kind) :: narrow, wide
    traits(1)%key = omp_atk_alignment
    traits(1)%value = 64
    narrow = omp_init_allocator(omp_default_mem_space, 1, traits)
    wide = omp_init_allocator(omp_default_mem_space, 1_8, traits)
    call check ('allocators', narrow /= omp_null_allocator .and. wide /= omp_null_allocator .and. narrow /= wide)
    call omp_set_default_allocator (wide)
    call check ('default allocator', omp_get_default_allocator() == wide)
    call omp_set_default_allocator (omp_default_mem_alloc)
    call omp_destroy_allocator (narrow)
    call omp_destroy_allocator (wide)
    call check ('pause', omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0)
    call check ('pause all', omp_pause_resource_all(omp_pause_hard) == 0)
  end subroutine

  subroutine events
    integer :: sum
    sum = 0
    !$omp parallel num_threads(2)
    !$omp single
    !$omp task detach(event) shared(sum)
    sum = sum + 1
    !$omp end task
    !$omp task
    call omp_fulfill_event (event)
    !$omp end task
    !$omp taskwait
    sum = sum + 2
    !$omp end single
    !$omp end parallel
    call check ('events', sum == 3)
  end subroutine
end program
