// What every page gets on top: how far away times are, buttons that copy, and tabs that show where one
// is. Pages work without.
import { tellFields, tellTimes } from "./times.js";
import { offerCopies } from "./copy.js";

tellTimes(document);
tellFields(document);
offerCopies(document);

// A region that does not scroll is not a stop for the keyboard.
const regions = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const region of document.querySelectorAll(".scroll")) regions.observe(region);

for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const bar = tab.closest("nav");
  bar.scrollLeft += tab.getBoundingClientRect().left - bar.getBoundingClientRect().left
    - (bar.clientWidth - tab.offsetWidth) / 2;
}
