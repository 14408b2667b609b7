/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ferry ingress in C++17: the classes on which the bindings of `ferry bindgen --lang cpp` are built. Link with
 * libferryingress.
 *
 * A generated class owns a context (context.hpp) and has, for each method, a blocking form that throws, one that
 * returns a Result (status.hpp), one that returns a std::future and one that takes a callback (call.hpp); calls can be
 * submitted together (batch.hpp), or so that one takes the result of another (chain.hpp), and replies and events taken
 * by an event loop (inbox.hpp); a method that yields returns a stream (stream.hpp); events have subscriptions
 * (listen.hpp). Messages are encoded straight from and into the types of the standard library (cbor.hpp, flat.hpp).
 * Include the generated header; this one comes with it.
 */
#ifndef FERRY_INGRESS_HPP
#define FERRY_INGRESS_HPP

#include <ferry/cpp/answer.hpp>
#include <ferry/cpp/batch.hpp>
#include <ferry/cpp/chain.hpp>
#include <ferry/cpp/context.hpp>
#include <ferry/cpp/inbox.hpp>
#include <ferry/cpp/stream.hpp>

#endif
