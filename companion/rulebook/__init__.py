"""The words: the rulebook in Japanese and English, and every sentence the engine's codes become."""
