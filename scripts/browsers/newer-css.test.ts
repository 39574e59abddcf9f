import { expect, test } from "vitest";
import { findNewerCss } from "./newer-css.ts";

test.each([
  [".a{color:red;.b{color:blue}}", [".b"]],
  [".a{&:hover{color:red}}", ["&:hover"]],
  [".a,.b:has(.c){color:red}", [".a,.b:has(.c)"]],
  ["@media print{.a,.b:popover-open{color:red}}", [".a,.b:popover-open"]],
  [".a{color:light-dark(red,blue)}", ["color:light-dark(red,blue)"]],
  [".a{color:rgb(from red r g b)}", ["color:rgb(from red r g b)"]],
])("finds CSS that older browsers do not support: %s", (sheet, found) => {
  expect(findNewerCss(sheet)).toEqual(found);
});

test.each([
  ".a:has(.b){color:red}.a\\:has:is(:where(.b):is([open],:popover-open) *){color:red}",
  ".a:is(:where(.b):has(:is(.c,.d)) *),.e{color:red}",
  "@supports (color:color-mix(in lab,red,red)){.a{color:color-mix(in oklab,red,blue)}}",
  "@layer a{@media print{.a,.b{color:red}}}@keyframes a{to{opacity:0}}",
])("accepts CSS that older browsers support: %s", (sheet) => {
  expect(findNewerCss(sheet)).toEqual([]);
});
