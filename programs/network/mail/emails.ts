export type Email = { to: string; subject: string; text: string; link: string }
function resetLink(page: string, token: string, email: string): string {
  return `${page}/${encodeURIComponent(token)}?${new URLSearchParams({ email }).toString()}`
}

export function verificationEmail({ email, page, token }: { email: string; page: string; token: string }): Email {
  const link = `${page}/${encodeURIComponent(token)}`
  return {
    to: email,
    subject: 'Confirm your email address',
    link,
    text: `Welcome to Foldboard.

Please follow this link to confirm that this is your address. It works once, within seven days.

${link}

If you did not make an account, do nothing.
`,
  }
}

export function resetEmail({ email, page, token }: { email: string; page: string; token: string }): Email {
  const link = resetLink(page, token, email)
  return {
    to: email,
    subject: 'Choose a new passphrase',
    link,
    text: `Somebody, most likely you, asked for a new passphrase for this address.

Please follow this link to choose one. It works once, within a day.

${link}

If it was not you, do nothing: your passphrase stays as it is.
`,
  }
}
