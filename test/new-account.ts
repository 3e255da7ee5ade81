import { randomUUID } from 'node:crypto'
import type { Network } from '../programs/network/index.ts'
import { exportPrivateKey, generateKeyPair } from '../src/protocol/crypto/keys.ts'
import { deriveSecrets, wrapSecret } from '../src/protocol/crypto/key-derivation.ts'

export type Credentials = { readonly email: string; readonly passphrase: string }

export function newCredentials(): Credentials {
  return {
    email: `${randomUUID()}@foldboard.example`,
    passphrase: 'grapes über 9 Alpen',
  }
}

/** The link in the newest email to an address. */
export async function linkFor(network: Network, email: string): Promise<string> {
  const mail = (await network.outbox()).find(({ to }) => to === email)
  if (mail === undefined) throw new Error(`No email was sent to ${email}.`)
  return mail.link
}

export function tokenOf(link: string): string {
  return decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? '')
}

async function call(network: Network, method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${network.apiUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

/** An account that is verified, made past the screen: journeys that begin later begin with it. Its key is short. */
export async function makeAccount(
  network: Network,
  { email, passphrase }: Credentials = newCredentials(),
): Promise<Credentials> {
  const [secrets, keys] = await Promise.all([deriveSecrets(email, passphrase), generateKeyPair(1024, true)])
  const secret = await wrapSecret(secrets, await exportPrivateKey(keys))
  const verifyUrl = `${new URL(network.dashboardUrl).origin}/verify`
  await call(network, 'PUT', '/register', {
    email,
    password: secrets.password,
    pubkey: keys.publicKey,
    secret,
    user: 'Ada',
    verify_url: verifyUrl,
  })
  await call(network, 'GET', `/verify/${encodeURIComponent(tokenOf(await linkFor(network, email)))}`)
  return { email, passphrase }
}
