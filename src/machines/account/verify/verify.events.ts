export type VerifyEvent =
  /** The link of a verification email was opened. */
  { readonly type: 'verify.begin'; readonly secrets: { readonly token: string } }
