"""The synchronous client, generated from the asynchronous one by script/client-types."""
