/*
 * Words of clients and servers that are shown in the language of the page. States, results, reasons for pauses and errors have
 * tables of their own (unit-status.ts, pause-reasons.ts, known-answers.ts); a word that is not known is shown as it came.
 */
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

/** The language of clients, servers and the project. */
export const FOREIGN_LANGUAGE = 'en'

/** Whether the texts of the page are in the language of clients. */
function isEnglish(): boolean {
  return i18n.locale === '' || i18n.locale.split('-')[0] === FOREIGN_LANGUAGE
}

/** A translated explanation with the word that people search for; in English, whose words are alike, without it. */
export function withOriginal(text: string, original: string): string {
  return isEnglish() ? text : t`${text} (${original})`
}

/** The word that was translated; undefined in English. For a tooltip. */
export function originalOf(word: string | undefined): string | undefined {
  return isEnglish() ? undefined : word
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['any', t`Any`],
  ['unspecified', t`Unspecified`],
  ['alzheimers', t`Alzheimers`],
  ['cancer', t`Cancer`],
  ['huntingtons', t`Huntingtons`],
  ['parkinsons', t`Parkinsons`],
  ['influenza', t`Influenza`],
  ['diabetes', t`Diabetes`],
  ['covid-19', t`Covid-19`],
  ['high-priority', t`High-priority`],
])

/** The name of a cause that donors prefer; an unknown one with a capital letter. */
export function causeTitle(cause: string): string {
  return CAUSES.get(cause.toLowerCase()) ?? `${cause.charAt(0).toUpperCase()}${cause.slice(1)}`
}
