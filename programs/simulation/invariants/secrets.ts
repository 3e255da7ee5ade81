import { disk } from '../browser/disk.ts'
import type { Journal } from '../time/journal.ts'

/** How every private RSA key begins in base64, and in hexadecimal: nobody sends or stores one that is not encrypted. */
const PRIVATE_KEYS = ['BgkqhkiG9w0BAQEFAASC', '06092a864886f70d01010105000482', '"dp":"']

/** Looks for secrets wherever they do not belong. `never`: what must leave no page in any way. */
export function createSecrets(journal: Journal, never: readonly string[]) {
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
    /** Where secrets were found. */
    leakedSecrets: leakedSecrets as readonly string[],
    /** Passkeys and session ids, which are sent to those that need them, and belong on no disk and in no recording. */
    addPrivate: (secret: string): void => void privateSecrets.add(secret),
    /** Searches what a page has recorded. */
    searchRecording: (page: string, text: string): void => searchStored(`the recording of ${page}`, text),
    /** A journal that searches all that is sent and done. */
    journal: {
      ...journal,
      note: (at: number, subject: string, what: string): void => {
        search(subject, what, unsent)
        journal.note(at, subject, what)
      },
    },
  }
}
