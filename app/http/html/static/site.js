// What every page gets on top: how far away times are, and buttons that copy. Pages work without.
import { tellTimes } from "./times.js";
import { offerCopies } from "./copy.js";

tellTimes(document);
offerCopies(document);
