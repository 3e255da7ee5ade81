import type { PassphraseFact, PassphraseFailure } from '../../machines/account/passphrase/passphrase.events.ts'
import { isSessionOver, mayHaveWorked, type ApiResult } from '../../protocol/api-fault.ts'
import { decodeAccount, decodeSecret } from '../../protocol/api.ts'
import { good } from '../../protocol/fault.ts'
import { deriveSecrets, unwrapSecret, wrapSecret, type Secrets } from '../../protocol/crypto/key-derivation.ts'
import type { PassphraseDeps, PassphrasePiece } from './passphrase-actor.ts'

const failed = (failure: PassphraseFailure): PassphraseFact => ({ type: 'passphrase.failed', failure })

/** What came of it; undefined when it was called off. */
export const doPassphraseWork = async (
  deps: PassphraseDeps,
  piece: PassphrasePiece,
): Promise<PassphraseFact | undefined> => {
  const { command, report } = piece
  const { current, passphrase } = command.secrets
  const email = command.email.trim().toLowerCase()
  report({ type: 'passphrase.reached', step: 'checking' })
  const derived = await deriveSecrets(email, current)
  const answer = await fetchSecret(deps, derived, piece)
  if (!answer.ok) return failed(isSessionOver(answer.fault) ? await meaningOf401(deps, piece) : answer.fault)
  const pkcs8 = await unwrapSecret(derived, answer.value)
  if (!pkcs8.ok) return failed({ kind: 'locked' })
  if (command.type === 'desk.confirm') {
    pkcs8.value.fill(0)
    return { type: 'passphrase.confirmed' }
  }
  const renewed = await deriveSecrets(email, passphrase)
  const secret = await wrapSecret(renewed, pkcs8.value)
  pkcs8.value.fill(0)
  return save(deps, email, { renewed, secret }, piece)
}

const fetchSecret = (
  { api }: PassphraseDeps,
  { password }: Secrets,
  { signal }: PassphrasePiece,
): Promise<ApiResult<string>> =>
  api({ method: 'GET', path: '/account/secret', data: { password }, signal }, decodeSecret)

/** A wrong passphrase and a session that is over have the same status. Only the second concerns other calls too. */
const meaningOf401 = async ({ api }: PassphraseDeps, { signal }: PassphrasePiece): Promise<PassphraseFailure> => {
  const account = await api({ method: 'GET', path: '/account', signal }, decodeAccount)
  return account.ok ? { kind: 'wrong' } : account.fault
}

/** The same key pair, wrapped by what the new passphrase became: machines and other sessions go on as they are. */
const save = async (
  deps: PassphraseDeps,
  email: string,
  { renewed, secret }: { readonly renewed: Secrets; readonly secret: string },
  piece: PassphrasePiece,
): Promise<PassphraseFact | undefined> => {
  if (piece.signal.aborted) return undefined
  piece.report({ type: 'passphrase.reached', step: 'saving' })
  // Not called off once it is sent: it would have had its effect, and nobody would know.
  const saved = await deps.api(
    {
      method: 'PUT',
      path: '/account/secret',
      data: { pubkey: piece.command.publicKey, password: renewed.password, secret },
    },
    good,
  )
  if (!saved.ok && !mayHaveWorked(saved.fault)) return failed(saved.fault)
  if (!saved.ok && !(await fetchSecret(deps, renewed, piece)).ok) return failed({ kind: 'unsure' })
  void deps.rememberPassword(email, piece.command.secrets.passphrase)
  return { type: 'passphrase.changed' }
}
