export type VerifyEvent =
  /** The link of a verification e-mail was followed. */
  { readonly type: 'verify.begin'; readonly secrets: { readonly token: string } }
