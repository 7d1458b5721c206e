// The code behind the # of a score link never leaves the browser in an address: it is sent in a form, once.
"use strict";

const code = decodeURIComponent(location.hash.slice(1));
if (code) {
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("join");
  form.elements.code.value = code;
  if (!("waits" in form.dataset)) form.submit();   // a list is not taken over by following a link
}
