"""Versions of the toy judge with one fault each; ``fails`` names the standard tests that see it."""

import time
import urllib.error

from toy_judge import FAILURES, Base, Toy

from ragproof_core import JudgeError, JudgeReply, TokenUsage, hookimpl


class TestCorrect(Base):
    pass


class Impatient(Toy):
    @hookimpl
    def complete(self, request):
        try:
            return self.read(self.send(request))
        except urllib.error.HTTPError as problem:
            raise JudgeError(self.reason(f"status {problem.code}: {problem.read()[:200]}")) from None
        except FAILURES as problem:
            raise JudgeError(f"{type(problem).__name__}: {problem}") from None


class TestNeverTriesAgain(Base):
    made = Impatient
    fails = frozenset(
        {
            "test_a_told_wait_is_kept", "test_an_overloaded_endpoint_is_asked_again",
            "test_a_cut_connection_is_no_crash",
        }
    )  # fmt: skip


class TestNeverTriesAgainAsDeclared(Base):
    made = Impatient
    retries = False


class Hasty(Toy):
    @hookimpl
    def complete(self, request):
        for _ in range(2):
            try:
                return self.read(self.send(request))
            except FAILURES as problem:
                found = self.reason(f"{problem} {problem.read()[:99] if hasattr(problem, 'read') else ''}")
        raise JudgeError(found)


class TestTriesAgainWhateverItIs(Base):
    made = Hasty
    fails = frozenset({"test_a_told_wait_is_kept", "test_a_refused_request_is_an_error_at_once"})


class Chatty(Toy):
    def reason(self, text):
        return text


class TestShowsTheKey(Base):
    made = Chatty
    fails = frozenset({"test_a_refused_request_is_an_error_at_once"})


class Shown(Toy):
    def __repr__(self):
        return f"Shown({self.settings.api_key.get_secret_value()})"


class TestShowsTheKeyInItsRepresentation(Base):
    made = Shown
    fails = frozenset({"test_the_key_shows_in_no_representation"})


class Trusting(Toy):
    @hookimpl
    def complete(self, request):
        return self.read(self.send(request))


class TestLetsEveryErrorThrough(Base):
    made = Trusting
    fails = frozenset(
        {
            "test_a_told_wait_is_kept", "test_a_wait_of_a_day_is_an_error", "test_an_overloaded_endpoint_is_asked_again",
            "test_an_endpoint_that_stays_overloaded_is_given_up", "test_a_cut_connection_is_no_crash",
            "test_an_address_where_nothing_listens_is_an_error", "test_an_answer_that_is_no_reply_is_an_error",
            "test_a_refused_request_is_an_error_at_once", "test_a_slow_reply_is_given_up",
            "test_a_failed_call_leaves_the_judge_usable",
        }
    )  # fmt: skip


class Endless(Toy):
    def __init__(self, settings):
        super().__init__(settings.model_copy(update={"timeout_seconds": 60.0}))


class TestNoTimeLimit(Base):
    made = Endless
    fails = frozenset({"test_a_slow_reply_is_given_up"})


class Stripping(Toy):
    def read(self, data):
        reply = super().read(data)
        return JudgeReply(reply.text.strip("` \n").removeprefix("json\n"), reply.usage, reply.finish_reason)


class TestTidiesTheReplyUp(Base):
    made = Stripping
    fails = frozenset({"test_the_reply_is_handed_on_word_for_word"})


class Uncut(Toy):
    def read(self, data):
        reply = super().read(data)
        return JudgeReply(reply.text, reply.usage, "stop")


class TestHidesTruncation(Base):
    made = Uncut
    fails = frozenset({"test_a_cut_reply_says_so"})


class Guessing(Toy):
    def read(self, data):
        reply = super().read(data)
        return JudgeReply(reply.text, reply.usage or TokenUsage(0, 0), reply.finish_reason)


class TestGuessesUsage(Base):
    made = Guessing
    fails = frozenset({"test_usage_is_the_providers_or_none"})


class Shared(Toy):
    @hookimpl
    def complete(self, request):
        self.request = request
        time.sleep(0.01)
        return super().complete(self.request)


class TestMixesThreadsUp(Base):
    made = Shared
    fails = frozenset({"test_calls_from_many_threads_keep_apart"})


class Forgetful(Toy):
    def send(self, request):
        import dataclasses

        return super().send(dataclasses.replace(request, system="", max_tokens=1))


class TestForgetsTheSystemText(Base):
    made = Forgetful
    fails = frozenset({"test_the_request_carries_all"})


class Latin(Toy):
    def send(self, request):
        import dataclasses

        user = request.user.encode("latin-1", "replace").decode("latin-1")
        return super().send(dataclasses.replace(request, user=user))


class TestChangesTheText(Base):
    made = Latin
    fails = frozenset({"test_the_request_carries_all", "test_any_text_arrives_and_comes_back"})


class Loop(Toy):
    @hookimpl
    def complete(self, request):
        import asyncio

        async def inside():
            return super(Loop, self).complete(request)

        coroutine = inside()
        try:
            return asyncio.run(coroutine)
        finally:
            coroutine.close()


class TestStartsALoopOfItsOwn(Base):
    made = Loop
    fails = frozenset({"test_it_works_inside_a_running_event_loop"})


class ClosedOnce(Toy):
    open = True

    @hookimpl
    def close(self):
        if not self.open:
            raise RuntimeError("closed already")
        self.open = False


class TestClosesOnce(Base):
    made = ClosedOnce
    fails = frozenset({"test_it_can_be_closed_twice"})


class PlainKey(Toy):
    class Settings(Toy.Settings):
        access_token: str = ""


class TestPlainSecret(Base):
    made = PlainKey
    fails = frozenset({"test_secrets_are_secret_fields"})
