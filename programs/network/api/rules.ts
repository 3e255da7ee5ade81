import * as v from 'valibot'

/** Input rules of the API (docs/product.md §5), at least as permissive as the forms. */
export const email = v.pipe(v.string(), v.regex(/^[^@\s]{1,64}@[^@\s]{4,255}$/u, 'Invalid email address'))

/** base64 of a SHA-256, which the page derives from the passphrase. */
export const password = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/, 'Invalid password hash'))

export const userName = v.pipe(
  v.string(),
  v.check(
    text => text === '' || (text.length >= 2 && text.length <= 100),
    'User name must be empty or between 2 and 100 characters',
  ),
  v.regex(/^[^<>;&:\t]*$/u, 'User name cannot contain any of the following: <>;&: or tab'),
)

export const teamNumber = v.pipe(
  v.number(),
  v.integer('Invalid team number'),
  v.minValue(0, 'Invalid team number'),
  v.maxValue(2_147_483_647, 'Invalid team number'),
)

/** A number, or its digits as text; empty is 0. */
export const typedTeam = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.regex(/^\d{0,10}$/, 'Invalid team number'), v.transform(Number))],
    'Invalid team number',
  ),
  teamNumber,
)

export const passkey = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{30,32})?$/i, 'Invalid passkey'))

export const cause = v.pipe(v.string(), v.maxLength(64), v.toLowerCase())

const MAX_PICTURE_CHARACTERS = 131_072
const PICTURE = /^(?:data:image\/(?:webp|png|jpeg|gif);base64,[A-Za-z0-9+/=]+)?$/

export const avatar = v.pipe(
  v.string(),
  v.maxLength(MAX_PICTURE_CHARACTERS, 'The avatar is too large'),
  v.regex(PICTURE, 'The avatar is not an image'),
)

/** A data URL, or, for older teams, an https URL. */
export const teamLogo = v.pipe(
  v.string(),
  v.maxLength(MAX_PICTURE_CHARACTERS, 'The logo is too large'),
  v.check(text => PICTURE.test(text) || /^https:\/\/[^\s<>"'`\\]{1,2000}$/.test(text), 'The logo is not an image'),
)

export const teamName = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    text => Array.from(text).length >= 2 && Array.from(text).length <= 100,
    'Team name must be between 2 and 100 characters',
  ),
  v.regex(/^[^<>;&"'\\`]*$/u, 'Team name cannot contain any of the following: <>;&"\'\\`'),
)

export const teamUrl = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(1_000, 'Invalid team URL'),
  v.regex(/^[^<>;'"`{}^\\[\]|\s]*$/u, 'Invalid team URL'),
  v.transform(text => (text === '' || text.includes('://') ? text : `https://${text}`)),
  v.check(text => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text)), 'Invalid team URL'),
)

/** An account's keys: the public key as SPKI and the wrapped private key, both base64. */
export const pubkey = v.pipe(v.string(), v.maxLength(2_000))
export const wrappedSecret = v.pipe(v.string(), v.maxLength(16_384), v.base64('The secret is not base64'))

export const node = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?)?$/i, 'Invalid node'),
)

export const accountClientName = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, 'Invalid machine name'))

/** Names that clients accept in a link command (docs/protocol.md §5): less strict than the form. */
export const clientName = v.pipe(v.string(), v.regex(/^[^<>;&'"]{1,64}$/u, 'Invalid machine name'))

const MAX_CONFIG_CHARACTERS = 65_536

const configObject = v.pipe(
  v.custom<Record<string, unknown>>(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
    'The config is not an object',
  ),
  v.transform(value => JSON.stringify(value)),
)

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** An object, or its JSON text (docs/protocol.md §16); stored as text. */
export const config = v.pipe(
  v.union(
    [v.pipe(v.string(), v.check(isObjectText, 'The config is not an object')), configObject],
    'The config is not an object',
  ),
  v.maxLength(MAX_CONFIG_CHARACTERS, 'The config is too large'),
)
