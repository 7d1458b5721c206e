// An address of the interface that was here before, such as #/questions/checkMove, opens where that interface is now.
"use strict";

if (location.hash.startsWith("#/")) location.replace(document.querySelector("a[data-try]").href + location.hash);
