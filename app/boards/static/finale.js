// Social networks take no SVG: where scripts run, the picture to share is downloaded as a PNG.
const link = document.getElementById("picture");

link?.addEventListener("click", async (event) => {
  event.preventDefault();
  const picture = new Image();
  picture.src = link.href;
  try {
    await picture.decode();
  } catch {
    location.assign(link.href);
    return;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const download = document.createElement("a");
  download.href = URL.createObjectURL(await new Promise((done) => canvas.toBlob(done, "image/png")));
  download.download = link.download.replace(/svg$/, "png");
  download.click();
  URL.revokeObjectURL(download.href);
});
