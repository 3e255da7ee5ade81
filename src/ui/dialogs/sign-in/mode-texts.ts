import { t } from '@lingui/core/macro'
import type { SignInMode } from '../../../machines/account/sign-in/sign-in.events.ts'

type ModeTexts = {
  readonly title: string
  readonly submit: string
  readonly busy: string
  /** An explanation, where the title does not suffice. */
  readonly about?: string
}

export const modeTexts: Readonly<Record<SignInMode, ModeTexts>> = {
  login: { title: t`Login`, submit: t`Login`, busy: t`Logging in…` },
  register: { title: t`Register`, submit: t`Register`, busy: t`Registering…` },
  reset: {
    title: t`Reset passphrase`,
    submit: t`Reset`,
    busy: t`Requesting…`,
    about: t`You will receive an email with a link to choose a new passphrase.`,
  },
  unlock: {
    title: t`Unlock your account`,
    submit: t`Login`,
    busy: t`Logging in…`,
    about: t`You are signed in with your provider. Enter your passphrase to unlock your account’s key.`,
  },
  create: {
    title: t`New account`,
    submit: t`Create`,
    busy: t`Creating…`,
    about: t`You are signed in with your provider, but have no account yet. Choose a passphrase to protect its key.`,
  },
}
