/** The Credential Management API, where the browser has it. */
export type PasswordManagerDeps = {
  readonly credentials: CredentialsContainer | undefined
  readonly scope: object
}

/**
 * Offers a passphrase that has just worked to the browser's password manager, which does not always notice forms that
 * are submitted without a navigation. Never rejects.
 */
export function rememberPassword({ credentials, scope }: PasswordManagerDeps) {
  return async (email: string, passphrase: string): Promise<void> => {
    if (credentials === undefined || !('PasswordCredential' in scope) || typeof scope.PasswordCredential !== 'function')
      return
    try {
      const credential: unknown = Reflect.construct(scope.PasswordCredential, [
        { id: email, name: email, password: passphrase },
      ])
      if (credential instanceof Credential) await credentials.store(credential)
    } catch {
      // Declined by the user, or forbidden on this page.
    }
  }
}
