"""The stream process: streams of what happens in sessions, and what is to be done beside them."""
