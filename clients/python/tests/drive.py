"""Runs each workflow once against the server of PARLEY_BASE_URL, with a key of test mode: with the synchronous client, and one run with the other.

Prints a line of JSON with what was seen. `test/process/python-client.test.ts` starts it.
"""

import asyncio
import json
import sys

import parley

BODIES = [
    {"workflow": "plain", "input": {"task": "Say yes"}},
    {"workflow": "waterfall", "input": {"requirement": "Count to ten."}, "options": {"clarification": "skip"}},
    {"workflow": "ideation", "input": {"topic": "Libraries that lend tools"}, "options": {"paper_source": "none"}},
    {"workflow": "debate", "input": {"question": "Must it be repaired?"}, "options": {"rounds": 1}},
]
ASKS = {
    "workflow": "requirements",
    "input": {"idea": "A library that lends tools to neighbours"},
    "options": {"checkpoints": ["requirement_draft"], "qa_rounds": 0},
}


def drive() -> dict:
    client = parley.Parley()
    seqs: list[int] = []
    asked: list[str] = []

    def answer(interaction):
        asked.append(interaction["kind"])
        return {"decision": "approve"}

    statuses = {}
    for body in BODIES:
        statuses[body["workflow"]] = client.runs.create_and_wait(body)["status"]
    run = client.runs.create_and_wait(ASKS, on_question=answer, on_event=lambda event: seqs.append(event["seq"]))
    statuses["requirements"] = run["status"]

    artifact = client.artifacts.list(run["id"]).page()["data"][0]
    text = client.artifacts.text(run["id"], artifact["id"])
    same = client.artifacts.bytes(run["id"], artifact["id"]).decode() == text

    dataset = client.datasets.create({"name": "Sums", "workflow": "waterfall"})
    client.datasets.upload(dataset["id"], ({"id": f"sum-{n}", "input": {"requirement": f"Add {n}."}, "gold": {"number": n}} for n in range(2)))
    exported = [item["id"] for item in client.datasets.export(dataset["id"])]
    variant = {"name": "one", "workflow": "waterfall", "options": {"strategy": "single_agent", "clarification": "skip"}}
    experiment = client.runs.create_and_wait({"workflow": "experiment", "input": {"dataset_id": dataset["id"], "variants": [variant]}})
    statuses["experiment"] = experiment["status"]

    corpus = client.corpora.create({"name": "Statutes"})
    uploads = client.corpora.upload(corpus["id"], [{"text": "A seller repairs a broken thing.", "source": "A law"}])
    listed = [each["id"] for each in client.runs.list(limit=2)]

    try:
        client.runs.create({"workflow": "debate", "input": {}})
        refusal = None
    except parley.ValidationError as error:
        refusal = {"code": error.code, "faults": len(error.errors), "request_id": bool(error.request_id)}
    return {
        "statuses": statuses,
        "asked": asked,
        "in_order": seqs == list(range(1, len(seqs) + 1)) and len(seqs) > 5,
        "same_text": same and bool(text),
        "exported": exported,
        "uploaded": [upload["status"] for upload in uploads],
        "paged": len(listed) >= len(statuses) and len(set(listed)) == len(listed),
        "tenant_lines": sum(1 for _ in client.tenant.export()) > 0,
        "refusal": refusal,
    }


async def drive_async() -> dict:
    async def answer(interaction):
        await asyncio.sleep(0)
        return {"decision": "approve"}

    async with parley.AsyncParley() as client:
        asking, plain = await asyncio.gather(
            client.runs.create_and_wait(ASKS, on_question=answer), client.runs.create_and_wait(BODIES[0])
        )
        return {"async": [asking["status"], plain["status"]]}


if __name__ == "__main__":
    json.dump({**drive(), **asyncio.run(drive_async())}, sys.stdout)
