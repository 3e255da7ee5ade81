/** What a browser has for password managers; not every one has it. */
export type PasswordKeeperDeps = {
  readonly credentials: CredentialsContainer | undefined
  readonly scope: object
}

/**
 * Offers a passphrase that has just worked to the browser's password manager. A form that is sent without leaving the
 * page is not always noticed by it. A browser that has no such thing, or a person who declines, changes nothing.
 */
export const rememberPassword =
  ({ credentials, scope }: PasswordKeeperDeps) =>
  async (email: string, passphrase: string): Promise<void> => {
    if (credentials === undefined || !('PasswordCredential' in scope) || typeof scope.PasswordCredential !== 'function')
      return
    try {
      const credential: unknown = Reflect.construct(scope.PasswordCredential, [
        { id: email, name: email, password: passphrase },
      ])
      if (credential instanceof Credential) await credentials.store(credential)
    } catch {
      // Declined, or forbidden on this page.
    }
  }
