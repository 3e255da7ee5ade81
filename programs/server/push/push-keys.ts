import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import webPush from 'web-push'
import { StartError } from '../../host/start-error.ts'
import { makeFolder } from '../../host/folder.ts'
import { PRIVATE, refuseReadable } from '../account/account-file.ts'

/** The VAPID keys by which push services know this server. Base64url. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string }

const PUSH_FILE = 'push.json'

function base64url(length: number) {
  return v.pipe(v.string(), v.regex(/^[\w-]+$/), v.length(length))
}
const schema = v.object({ publicKey: base64url(87), privateKey: base64url(43) })

/**
 * The keys beside the database, made at the first start. Subscriptions of browsers belong to them. Throws a StartError when
 * they cannot be read, or when others can read them.
 */
export function readPushKeys(folder: string): PushKeys {
  const path = join(folder, PUSH_FILE)
  if (!existsSync(path)) {
    makeFolder(folder)
    writeFileSync(path, `${JSON.stringify(webPush.generateVAPIDKeys())}\n`, { mode: PRIVATE, flag: 'wx' })
  }
  refuseReadable(path)
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new StartError(`${path} has no keys for Web Push. Restore the file, or delete it: browsers subscribe again.`)
  }
}
