"""The integrations against a running service, with the real packages where they are installed."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from unittest import TestCase, skipUnless

from scriptorium import Scriptorium, ScriptoriumError
from tests.interfaces import provide_missing
from tests.test_service import LETTER

provide_missing()
has_service = skipUnless(os.environ.get("SERVICE_URL"), "SERVICE_URL is not set")


def letter(folder: str) -> Path:
    path = Path(folder) / "offer.md"
    path.write_bytes(LETTER)
    return path


@has_service
class LangChain(TestCase):
    def test_load_redacted_chunks_of_files_and_objects(self) -> None:
        from scriptorium.langchain import ScriptoriumLoader

        client = Scriptorium()
        with tempfile.TemporaryDirectory() as folder:
            path = letter(folder)
            stored = client.objects.upload(path)
            loader = ScriptoriumLoader(client, [path, stored["id"]], redact="personal")
            documents = loader.load()
        self.assertEqual([one.metadata["object_id"] for one in documents], [stored["id"]] * 2)
        for one in documents:
            self.assertIn("Offer", one.page_content)
            self.assertNotIn("jane.doe@example.com", one.page_content)
            self.assertEqual((one.metadata["source"], one.metadata["index"]), ("offer.md", 0))
            self.assertEqual(one.metadata["pages"], [1, 1])

    def test_say_why_a_document_has_no_chunks(self) -> None:
        from scriptorium.langchain import ScriptoriumLoader

        client = Scriptorium()
        broken = client.objects.upload(b"%PDF-1.7\nbroken", filename="broken.pdf")
        with self.assertRaisesRegex(ScriptoriumError, "broken.pdf"):
            ScriptoriumLoader(client, [broken["id"]]).load()

    def test_retrieve_passages(self) -> None:
        from scriptorium.langchain import ScriptoriumRetriever

        client = Scriptorium()
        word = f"quokka{os.urandom(4).hex()}"
        stored = client.objects.upload(f"The {word} lives here.".encode(), filename="animals.txt")
        client.jobs.wait(
            client.jobs.create(
                source_object_id=stored["id"], operations=[{"op": "normalize_for_llm"}]
            )["id"]
        )
        retriever = ScriptoriumRetriever(client=client, k=3, filter={"mime": ["text/plain"]})
        for documents in (retriever.invoke(word), asyncio.run(retriever.ainvoke(word))):
            own = [one for one in documents if one.metadata["object_id"] == stored["id"]]
            self.assertEqual(len(own), 1, documents)
            self.assertIn(word, own[0].page_content)
            self.assertEqual(own[0].metadata["source"], "animals.txt")
        self.assertEqual(retriever.invoke(f"wombat{os.urandom(4).hex()}"), [])


@has_service
class LlamaIndex(TestCase):
    def test_read_redacted_chunks(self) -> None:
        from llama_index.core.schema import MetadataMode

        from scriptorium.llama_index import ScriptoriumReader

        with tempfile.TemporaryDirectory() as folder:
            documents = ScriptoriumReader(Scriptorium(), redact="personal").load_data(
                [letter(folder)]
            )
        self.assertEqual(len(documents), 1)
        text = documents[0].get_content(metadata_mode=MetadataMode.EMBED)
        self.assertIn("source: offer.md", text)
        self.assertNotIn("jane.doe@example.com", text)
        self.assertNotIn("object_id", text)
