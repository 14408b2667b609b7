/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What does a unary call of gRPC cost, of as many bytes, over the same lines as in main.cpp?
 *
 * Client and server use gRPC's generic interface: nothing is decoded, which is the least that a generated one costs.
 * The client's thread takes from the completion queue itself, so that no other thread has to be woken for it.
 */
#include "line.hpp"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* C has structs and functions of one name */
#include "bench.h"
#pragma GCC diagnostic pop
}

namespace
{

constexpr std::size_t payload_bytes = 24;

struct Way {
	std::unique_ptr<grpc::GenericStub> stub;
};
Way ways[line::delay_count];

/* Gives each call its bytes back, in gRPC's own threads. */
class Echo final : public grpc::CallbackGenericService
{
	class Reactor final : public grpc::ServerGenericBidiReactor
	{
	public:
		Reactor()
		{
			StartRead(&bytes_);
		}

	private:
		void OnReadDone(bool ok) override
		{
			if (ok)
				StartWriteAndFinish(&bytes_, grpc::WriteOptions(), grpc::Status::OK);
			else
				Finish(grpc::Status::CANCELLED);
		}
		void OnDone() override
		{
			delete this;
		}

		grpc::ByteBuffer bytes_;
	};

	grpc::ServerGenericBidiReactor *CreateReactor(grpc::GenericCallbackServerContext *) override
	{
		return new Reactor;
	}
};

std::string address_of(unsigned port)
{
	return "127.0.0.1:" + std::to_string(port);
}

void serve(unsigned port)
{
	Echo echo;
	grpc::ServerBuilder builder;

	builder.AddListeningPort(address_of(port), grpc::InsecureServerCredentials());
	builder.RegisterCallbackGenericService(&echo);
	builder.BuildAndStart()->Wait();
}

void set_up()
{
	const unsigned port = line::free_port();
	unsigned ports[line::delay_count];

	line::in_child([&] { serve(port); });
	for (std::size_t i = 0; i < line::delay_count; i++)
		ports[i] = line::slow(port, line::delays_us[i]);
	if (!line::listens(port)) {
		std::fprintf(stderr, "%s: gRPC's server does not listen\n", program_invocation_short_name);
		std::exit(1);
	}
	for (std::size_t i = 0; i < line::delay_count; i++)
		ways[i].stub = std::make_unique<grpc::GenericStub>(
			grpc::CreateChannel(address_of(ports[i]), grpc::InsecureChannelCredentials()));
}

bool call(grpc::GenericStub &stub, grpc::CompletionQueue &queue, const grpc::ByteBuffer &payload)
{
	grpc::ClientContext context;
	grpc::ByteBuffer reply;
	grpc::Status status;
	void *tag = nullptr;
	bool ok = false;

	context.set_wait_for_ready(true);
	const auto under_way = stub.PrepareUnaryCall(&context, "/echo/Call", payload, &queue);
	under_way->StartCall();
	under_way->Finish(&reply, &status, &context);
	return queue.Next(&tag, &ok) && ok && status.ok() && reply.Length() == payload_bytes;
}

long grpc_calls(void *context, long n)
{
	const std::string bytes(payload_bytes, 'x');
	const grpc::Slice slice(bytes);
	const grpc::ByteBuffer payload(&slice, 1);
	static grpc::CompletionQueue queue;

	for (long i = 0; i < n; i++)
		if (!call(*static_cast<Way *>(context)->stub, queue, payload))
			return -EIO;
	return 0;
}

const bench_variant variants[] = {
	{ "grpc:call", nullptr, grpc_calls, &ways[0], true },
	{ "grpc:call@1ms", nullptr, grpc_calls, &ways[1], true },
	{ "grpc:call@10ms", nullptr, grpc_calls, &ways[2], true },
};
const long sizes[] = { 1, 10, 100 };
const bench_suite suite = {
	"network", "What does a unary call of gRPC cost?", variants, sizeof(variants) / sizeof(variants[0]),
	sizes,	   sizeof(sizes) / sizeof(sizes[0]),	   5,	     2,
	set_up,
};

} // namespace

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &suite);
}
