"""The library, the conformance kit and the tools of assistants."""
