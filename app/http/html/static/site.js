// What every page gets on top: how far away times are, buttons that copy, and tabs that show where one
// is. Pages work without.
import { tellTimes } from "./times.js";
import { offerCopies } from "./copy.js";

tellTimes(document);
offerCopies(document);

for (const tab of document.querySelectorAll(":is(.tabs, .desk-nav) [aria-current]")) {
  const bar = tab.closest("nav");
  bar.scrollLeft += tab.getBoundingClientRect().left - bar.getBoundingClientRect().left
    - (bar.clientWidth - tab.offsetWidth) / 2;
}
