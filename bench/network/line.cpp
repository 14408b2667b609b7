/* SPDX-License-Identifier: BSD-3-Clause */
/* See line.hpp. */
#include "line.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <list>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace line
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::size_t chunk_bytes = 256 << 10;
/* So much is under way in one direction at most; the sender waits then, as a long line makes it. */
constexpr std::size_t queue_bytes = 64U << 20;

sockaddr_in loopback(unsigned port)
{
	sockaddr_in address = {};

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons(static_cast<std::uint16_t>(port));
	return address;
}

int connect_to(unsigned port)
{
	const sockaddr_in address = loopback(port);
	const int one = 1;
	const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (made >= 0 && connect(made, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0) {
		setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		return made;
	}
	close(made);
	return -1;
}

int listen_at(unsigned port)
{
	const sockaddr_in address = loopback(port);
	const int one = 1;
	const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(made, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) || listen(made, 64))
		std::abort();
	return made;
}

/* One direction of one connection. */
struct Direction {
	struct Chunk {
		Clock::time_point due;
		std::vector<char> bytes;
		std::size_t sent = 0;
	};

	int from, to;
	std::deque<Chunk> queue;
	std::size_t waiting = 0;
	bool ended = false, blocked = false;

	/* Read what is there; false: nothing more comes. */
	bool take(Clock::time_point due)
	{
		std::vector<char> bytes(chunk_bytes);
		const ssize_t got = recv(from, bytes.data(), bytes.size(), MSG_DONTWAIT);

		if (got <= 0)
			return got < 0 && (errno == EAGAIN || errno == EINTR);
		bytes.resize(static_cast<std::size_t>(got));
		waiting += bytes.size();
		queue.push_back({ due, std::move(bytes) });
		return true;
	}
	/* Write what is due; false: nobody reads any more. */
	bool give(Clock::time_point now)
	{
		blocked = false;
		while (!queue.empty() && queue.front().due <= now) {
			Chunk &chunk = queue.front();
			const ssize_t sent = send(to, chunk.bytes.data() + chunk.sent, chunk.bytes.size() - chunk.sent,
						  MSG_DONTWAIT | MSG_NOSIGNAL);

			if (sent < 0) {
				blocked = errno == EAGAIN;
				return blocked || errno == EINTR;
			}
			chunk.sent += static_cast<std::size_t>(sent);
			waiting -= static_cast<std::size_t>(sent);
			if (chunk.sent == chunk.bytes.size())
				queue.pop_front();
		}
		return true;
	}
};

struct Connection {
	Direction there, back;

	Connection(int near, int far) : there{ near, far, {} }, back{ far, near, {} }
	{
	}
	Connection(const Connection &) = delete;
	Connection &operator=(const Connection &) = delete;
	~Connection()
	{
		close(there.from);
		close(there.to);
	}
};

/* When the first chunk that waits only for its time is due. */
timespec wait_for(const std::list<Connection> &connections, Clock::time_point now)
{
	auto least = std::chrono::nanoseconds(std::chrono::seconds(1));

	for (const Connection &connection : connections)
		for (const Direction *direction : { &connection.there, &connection.back })
			if (!direction->queue.empty() && !direction->blocked)
				least = std::min(least, std::max(std::chrono::nanoseconds(0),
								 std::chrono::nanoseconds(direction->queue.front().due -
											  now)));
	return { least.count() / 1000000000, least.count() % 1000000000 };
}

pollfd watched(const Direction &in, const Direction &out)
{
	short events = 0;

	if (in.waiting < queue_bytes)
		events |= POLLIN;
	if (out.blocked)
		events |= POLLOUT;
	return { in.from, events, 0 };
}

void pass_on(int listener, unsigned port, std::chrono::microseconds delay)
{
	std::list<Connection> connections;
	std::vector<pollfd> watches;
	const int one = 1;

	for (;;) {
		watches = { { listener, POLLIN, 0 } };
		for (const Connection &connection : connections) {
			watches.push_back(watched(connection.there, connection.back));
			watches.push_back(watched(connection.back, connection.there));
		}
		const timespec wait = wait_for(connections, Clock::now());
		ppoll(watches.data(), watches.size(), &wait, nullptr);
		const auto now = Clock::now();
		std::size_t place = 1;
		for (auto at = connections.begin(); at != connections.end(); place += 2) {
			bool alive = true;

			if (watches[place].revents)
				alive = at->there.take(now + delay);
			if (watches[place + 1].revents)
				alive = at->back.take(now + delay) && alive;
			alive = at->there.give(now) && at->back.give(now) && alive;
			at = alive ? std::next(at) : connections.erase(at);
		}
		if (watches[0].revents) {
			const int near = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
			const int far = connect_to(port);

			setsockopt(near, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
			connections.emplace_back(near, far);
		}
	}
}

} // namespace

unsigned free_port()
{
	sockaddr_in address = loopback(0);
	socklen_t bytes = sizeof(address);
	const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(made, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) ||
	    getsockname(made, reinterpret_cast<sockaddr *>(&address), &bytes))
		std::abort();
	close(made);
	return ntohs(address.sin_port);
}

void in_child(const std::function<void()> &work)
{
	const pid_t parent = getpid();

	if (fork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/* the samples are the parent's alone */
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	work();
	_exit(1);
}

bool start(const std::vector<std::string> &command)
{
	std::vector<char *> words;
	int done[2], code = 0;
	ssize_t got;

	words.reserve(command.size() + 1);
	for (const std::string &word : command)
		words.push_back(const_cast<char *>(word.c_str()));
	words.push_back(nullptr);
	if (pipe2(done, O_CLOEXEC))
		return false;
	in_child([&] {
		dup2(STDOUT_FILENO, STDERR_FILENO);
		execvp(words[0], words.data());
		code = errno;
		if (write(done[1], &code, sizeof(code)) < 0)
			_exit(2);
	});
	close(done[1]);
	got = read(done[0], &code, sizeof(code));
	close(done[0]);
	return got == 0;
}

bool listens(unsigned port)
{
	for (int i = 0; i < 1000; i++) {
		const int made = connect_to(port);

		if (made >= 0) {
			close(made);
			return true;
		}
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
	}
	return false;
}

unsigned slow(unsigned port, long delay_us)
{
	if (delay_us == 0)
		return port;
	const unsigned mine = free_port();
	const int listener = listen_at(mine);
	in_child([&] {
		prctl(PR_SET_TIMERSLACK, 1UL);
		pass_on(listener, port, std::chrono::microseconds(delay_us));
	});
	close(listener);
	return mine;
}

} // namespace line
