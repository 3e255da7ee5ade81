export type ClockEvent =
  /** A quarter of a second has passed (docs/product.md §9) while the page could be seen. */
  | { readonly type: 'clock.ticked'; readonly at: number }
  /** Somebody whose clock can be trusted said what time it is: `offset` = theirs − ours, in milliseconds. */
  | { readonly type: 'clock.compared'; readonly offset: number }
  /** Something speaks for a clock that is not what it was: the computer slept, its clock was set, a node refused a login. */
  | { readonly type: 'clock.doubted' }
