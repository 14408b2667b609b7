/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the network benchmarks start: processes that end with the benchmark, and slow lines.
 *
 * A line is a process that passes bytes on from a port of its own to another one on loopback, each after the same
 * delay, in both directions. So the benchmark needs no privilege and no kernel with netem (many have none), and all
 * peers have the same line. What the line takes besides its delay, some 30 µs a direction, is in all figures alike.
 */
#ifndef FERRY_BENCH_LINE_HPP
#define FERRY_BENCH_LINE_HPP

#include <functional>
#include <string>
#include <vector>

namespace line
{

/* The delays of the benchmark, in µs, and the CALLs that are measured with them. 0 is no line at all. */
constexpr long delays_us[] = { 0, 1000, 10000 };
constexpr std::size_t delay_count = sizeof(delays_us) / sizeof(delays_us[0]);

/* A port of loopback that nobody has. */
unsigned free_port();
/* Run `work` in a child that is killed when this process ends. Call it before there are threads. */
void in_child(const std::function<void()> &work);
/* Run a command so, without its output. Returns false if there is no such program. */
bool start(const std::vector<std::string> &command);
/* Wait until somebody listens at the port, 10 s at most. */
bool listens(unsigned port);
/* A line to `port`: the port of its other end. */
unsigned slow(unsigned port, long delay_us);

} // namespace line

#endif
