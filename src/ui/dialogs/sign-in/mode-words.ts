import type { SignInMode } from '../../../machines/account/sign-in/sign-in.events.ts'

type ModeWords = {
  readonly title: string
  readonly submit: string
  readonly busy: string
  /** What the dialog is for, where its title does not say it. */
  readonly about?: string
}

export const modeWords: Readonly<Record<SignInMode, ModeWords>> = {
  login: { title: 'Login', submit: 'Login', busy: 'Logging in…' },
  register: { title: 'Register', submit: 'Register', busy: 'Registering…' },
  reset: {
    title: 'Reset passphrase',
    submit: 'Reset',
    busy: 'Asking…',
    about: 'You get an e-mail with a link. It leads to a page where you choose a new passphrase.',
  },
  unlock: {
    title: 'Unlock your account',
    submit: 'Login',
    busy: 'Logging in…',
    about: 'You are known. Your account’s key is locked with your passphrase.',
  },
  create: {
    title: 'New account',
    submit: 'Create',
    busy: 'Creating…',
    about: 'You are known, but have no account yet. Its key is locked with a passphrase of its own.',
  },
}
