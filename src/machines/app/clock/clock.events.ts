export type ClockEvent =
  /** A second has passed (docs/product.md §9) while the page could be seen. */
  | { readonly type: 'clock.ticked'; readonly at: number }
  /** A server reported its time. `offset`: its clock minus this computer's, in milliseconds. */
  | { readonly type: 'clock.compared'; readonly offset: number }
  /** The offset may have changed: the computer slept, its clock was set, or a node refused a login. */
  | { readonly type: 'clock.check' }
