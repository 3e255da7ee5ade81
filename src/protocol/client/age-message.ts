/*
 * A server says to pages and other servers how old what it has of a client is. Clients themselves never send this.
 */

/** `age`: milliseconds; undefined: it is current. */
export function ageMessage(age: number | undefined): string {
  return JSON.stringify(['age', age === undefined ? null : Math.max(0, Math.round(age))])
}

const AGE_MESSAGE = /^\["age",(null|\d{1,12})\]$/

/** Undefined for any other message. */
export function readAgeMessage(text: string): { readonly age: number | undefined } | undefined {
  const [, age] = (text.startsWith('["age"') ? AGE_MESSAGE.exec(text) : undefined) ?? []
  return age === undefined ? undefined : { age: age === 'null' ? undefined : Number(age) }
}
