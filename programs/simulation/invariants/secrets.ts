import { disk } from '../browser/disk.ts'
import type { Journal } from '../time/journal.ts'

/** How every private RSA key begins in base64, and in hexadecimal: nobody sends or stores one that is not encrypted. */
const PRIVATE_KEYS = ['BgkqhkiG9w0BAQEFAASC', '06092a864886f70d01010105000482', '"dp":"']

export type Secrets = {
  /** A journal that searches all that is sent and done. */
  readonly journal: Journal
  /** Passkeys and session ids, which are sent to those that need them, and belong on no disk and in no recording. */
  readonly addPrivate: (secret: string) => void
  /** Searches what a page has recorded. */
  readonly searchRecording: (page: string, text: string) => void
  /** Where secrets were found. */
  readonly leakedSecrets: readonly string[]
}

/** Looks for secrets wherever they do not belong. `never`: what must leave no page in any way. */
export function createSecrets(journal: Journal, never: readonly string[]): Secrets {
  const leakedSecrets: string[] = []
  const unsent = [...never, ...PRIVATE_KEYS]
  const privateSecrets = new Set<string>()
  const search = (where: string, text: string, secrets: Iterable<string>): void => {
    for (const secret of secrets)
      if (text.includes(secret)) {
        const at = text.indexOf(secret)
        leakedSecrets.push(`${where} has ${secret}: ${text.slice(Math.max(0, at - 100), at + 100)}`)
      }
  }
  const searchStored = (where: string, text: string): void => {
    search(where, text, unsent)
    search(where, text, privateSecrets)
  }
  disk.whenWritten = text => searchStored('a disk', text)
  return {
    leakedSecrets,
    addPrivate: secret => void privateSecrets.add(secret),
    searchRecording: (page, text) => searchStored(`the recording of ${page}`, text),
    journal: {
      ...journal,
      note: (at, subject, what) => {
        search(subject, what, unsent)
        journal.note(at, subject, what)
      },
    },
  }
}
