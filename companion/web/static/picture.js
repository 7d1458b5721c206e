// The end of a game as a picture: our own SVG is drawn on a canvas here, handed to another app where that goes, else saved.
"use strict";
{
const WIDTH = 1080, HEIGHT = 1350;

async function drawn(link) {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = link.href;
  await image.decode();
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(image, 0, 0, WIDTH, HEIGHT);
  const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([png], link.dataset.picture, { type: "image/png" });
}

async function hand(link) {
  const file = await drawn(link);
  if (navigator.canShare && navigator.canShare({ files: [file] })) {
    await navigator.share({ files: [file], text: link.dataset.text });
    return;
  }
  const save = document.createElement("a");   // over plain HTTP no page may share
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.click();
  setTimeout(() => URL.revokeObjectURL(save.href), 60000);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-picture]");
  if (!link) return;
  event.preventDefault();
  hand(link).catch((fault) => { if (fault.name !== "AbortError") location.href = link.href; });
});
}
