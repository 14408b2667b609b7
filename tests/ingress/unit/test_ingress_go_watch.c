/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Go host's watch of its inbox: Go's poller hears of every reply that comes while the watch is on, also of one that
 * came before, and of none while it is off. Go's poller is edge-triggered, as the outer epoll descriptor here.
 */
#include "ingress_tests.h"

#include "../../../hosts/go/core.c"

#include <poll.h>

static struct ferry_go_port *port;
static ingress_token context;
static int poller;

static int set_up(void **state)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET };
	uint32_t status;

	(void)state;
	context = open_echo(&echo_library, NULL);
	port = ferry_go_port_create(&status);
	assert_non_null(port);
	assert_int_equal(status, INGRESS_OK);
	poller = epoll_create1(EPOLL_CLOEXEC);
	assert_true(poller >= 0);
	assert_true(ferry_go_watch_create(port) >= 0);
	assert_int_equal(epoll_ctl(poller, EPOLL_CTL_ADD, port->watch, &event), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(poller);
	close(port->watch);
	ferry_go_release(port);
	ingress_inbox_close(port->inbox);
	free(port);
	close_echo(context);
	return 0;
}

/* Take the one item that is there, or comes. */
static void take(void)
{
	assert_int_equal(ferry_go_cross(port, context, NULL, 0, LONG_NS), 1);
}

/* Nothing is there, and from now on a reply writes to the inbox's descriptor. */
static void take_nothing(void)
{
	assert_int_equal(ferry_go_cross(port, context, NULL, 0, 0), 0);
}

/* Submit a request, and wait until the inbox's descriptor says that its reply has come. */
static void have_a_reply(void)
{
	const struct ingress_call call = { .method = ECHO_SAME, .inbox = port->inbox };
	struct pollfd inbox = { .fd = ingress_inbox_descriptor(port->inbox), .events = POLLIN };

	assert_int_equal(ingress_submit(context, &call), INGRESS_OK);
	assert_int_equal(poll(&inbox, 1, (int)(LONG_NS / MS_NS)), 1);
}

static bool poller_hears(void)
{
	struct epoll_event event;

	return epoll_wait(poller, &event, 1, 0) == 1 && event.events & EPOLLIN;
}

static void the_poller_hears_of_replies_while_the_watch_is_on(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		take_nothing();
		ferry_go_watch(port, true);
		assert_false(poller_hears());
		have_a_reply();
		assert_true(poller_hears());
		take();
	}
}

static void the_poller_hears_of_none_while_it_is_off(void **state)
{
	(void)state;
	ferry_go_watch(port, true);
	ferry_go_watch(port, false);
	for (int i = 0; i < 3; i++) {
		take_nothing();
		have_a_reply();
		assert_false(poller_hears());
		take();
	}
}

/* A reply between the last look and the beginning of the watch. */
static void the_poller_hears_of_what_came_before_the_watch(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		take_nothing();
		have_a_reply();
		ferry_go_watch(port, true);
		assert_true(poller_hears());
		take();
		ferry_go_watch(port, false);
	}
}

/* The same after a watch whose reply another goroutine took, before the poller looked. */
static void a_watch_that_was_not_looked_at_hides_nothing(void **state)
{
	(void)state;
	take_nothing();
	ferry_go_watch(port, true);
	have_a_reply();
	take();
	take_nothing();
	assert_false(poller_hears());
	ferry_go_watch(port, false);
	have_a_reply();
	ferry_go_watch(port, true);
	assert_true(poller_hears());
	take();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_poller_hears_of_replies_while_the_watch_is_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_poller_hears_of_none_while_it_is_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_poller_hears_of_what_came_before_the_watch, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_watch_that_was_not_looked_at_hides_nothing, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
