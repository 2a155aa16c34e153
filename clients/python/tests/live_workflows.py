"""Every workflow in test mode, against the Parley of PARLEY_BASE_URL with the test key PARLEY_API_KEY."""

import asyncio
import contextlib
import io
import json
import re
import unittest
import uuid
from pathlib import Path

import parley

QUESTION = "Does the tenant owe the rent of May?"
ASKS = {
    "workflow": "requirements",
    "input": {"idea": "A library that lends tools to neighbours"},
    "options": {"reviews": ["requirement_draft"], "qa_rounds": 0},
}
REQUESTS = [
    {
        "workflow": "waterfall",
        "input": {"requirement": "Say which comes first, and say why it does"},
        "options": {"clarification": "skip"},
    },
    {
        "workflow": "debate",
        "input": {"question": QUESTION, "choices": [{"label": "A", "text": "Yes"}, {"label": "B", "text": "No"}]},
        "options": {"rounds": 1},
    },
    {"workflow": "ideation", "input": {"topic": "Ways to lend tools to neighbours"}},
    {"workflow": "plain", "input": {"task": "Say yes"}},
]


class Workflows(unittest.TestCase):
    def setUp(self):
        self.api = parley.Parley()
        self.addCleanup(self.api.close)

    def approve(self, interaction):
        self.assertEqual((interaction["kind"], interaction["status"]), ("feedback", "open"))
        self.asked.append(interaction["id"])
        return {"decision": "approve"}

    def test_every_workflow_runs_to_its_end(self):
        names = {it["workflow"] for it in [ASKS, *REQUESTS]} | {"experiment"}
        self.assertEqual(names, {it["name"] for it in self.api.workflows.list()})
        for request in REQUESTS:
            with self.subTest(request["workflow"]):
                seen = []
                run = self.api.runs.create_and_wait(request, on_event=seen.append)
                self.assertEqual((run["workflow"], run["status"], run["error"]), (request["workflow"], "completed", None))
                self.assertIsNotNone(run["output"])
                self.assertEqual([it["seq"] for it in seen], list(range(1, len(seen) + 1)))
                self.assertEqual(seen[-1]["type"], "run.completed")
                self.assertEqual(list(self.api.runs.events(run["id"])), self.api.runs.list_events(run["id"]).all())

    def test_the_examples_of_the_readme_for_runs(self):
        readme = (Path(__file__).parents[1] / "README.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
        ran = [it for it in examples if "asyncio.run" in it or "parley = Parley()" in it]
        self.assertEqual(len(ran), 2)
        self.assertLessEqual(len(ran[0].splitlines()), 12)
        for example in ran:
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(example, {})
            self.assertRegex(output.getvalue(), "completed")

    def test_a_question_in_the_middle_is_answered(self):
        self.asked = []
        run = self.api.runs.create_and_wait(ASKS, on_question=self.approve)
        self.assertEqual((run["status"], len(self.asked)), ("completed", 1))
        self.assertEqual(self.api.interactions.get(self.asked[0])["status"], "answered")

        artifacts = self.api.artifacts.list(run["id"], limit=3).all()
        self.assertGreater(len(artifacts), 3)
        artifact = next(it for it in artifacts if it["media_type"] == "application/json")
        text = self.api.artifacts.text(run["id"], artifact["id"])
        self.assertEqual(self.api.artifacts.json(run["id"], artifact["id"]), json.loads(text))
        self.assertEqual(self.api.artifacts.bytes(run["id"], artifact["id"]), text.encode())

    def test_the_async_client_answers_a_question_while_it_reads(self):
        self.asked = []

        async def slowly(interaction):
            await asyncio.sleep(0.2)
            return self.approve(interaction)

        async def run():
            async with parley.AsyncParley() as api:
                run = await api.runs.create_and_wait(ASKS, on_question=slowly)
                events = [it async for it in api.runs.events(run["id"])]
                self.assertEqual(events, await api.runs.list_events(run["id"]).all())
                return run

        self.assertEqual(asyncio.run(run())["status"], "completed")
        self.assertEqual(len(self.asked), 1)

    def test_an_experiment_over_an_uploaded_data_set(self):
        items = ({"id": name, "input": {"task": f"Say {name}"}, "gold": {"text": [name]}} for name in ("one", "two"))
        dataset = self.api.datasets.upload({"name": f"Words {uuid.uuid4()}", "workflow": "plain"}, items)
        self.assertEqual((dataset["status"], dataset["items"]), ("closed", 2))
        self.assertEqual([it["id"] for it in self.api.datasets.export(dataset["id"])], ["one", "two"])
        variants = [{"name": "plain", "workflow": "plain", "options": {"form": "text"}}]
        request = {"workflow": "experiment", "input": {"dataset_id": dataset["id"], "variants": variants}}
        run = self.api.runs.create_and_wait(request)
        self.assertEqual((run["status"], run["error"]), ("completed", None))
        exported = [it for it in self.api.tenant.export() if it["type"] == "dataset"]
        self.assertIn(dataset["id"], [it["data"]["id"] for it in exported])

    def test_documents_are_uploaded_and_faulty_ones_named(self):
        corpus = self.api.corpora.create({"name": "Laws"})
        documents = [{"source": "A law", "text": "A tenant pays rent."}, {"source": "B", "text": ""}]
        sent = []
        result = self.api.corpora.upload(corpus["id"], documents, on_progress=lambda it: sent.append(it["sent"]))
        self.assertEqual((result["sent"], result["added"], result["invalid"], result["ready"]), (2, 1, 1, 1))
        self.assertEqual([fieldError["line"] for fieldError in result["errors"]], [2])
        self.assertEqual(sent[0], 2)
        [document] = self.api.documents.list(corpus["id"])
        self.assertEqual(self.api.documents.text(corpus["id"], document["id"]), "A tenant pays rent.")
        self.assertIsNone(self.api.corpora.delete(corpus["id"]))
        with self.assertRaises(parley.NotFoundError):
            self.api.corpora.get(corpus["id"])

    def test_one_request_sent_twice_with_one_key_makes_one_run(self):
        key, mark = str(uuid.uuid4()), str(uuid.uuid4())
        request = {**REQUESTS[-1], "metadata": {"mark": mark}}
        ids = {self.api.runs.create(request, idempotency_key=key)["id"] for _ in range(2)}
        self.assertEqual([it["id"] for it in self.api.runs.list(metadata={"mark": mark})], list(ids))


if __name__ == "__main__":
    unittest.main()
