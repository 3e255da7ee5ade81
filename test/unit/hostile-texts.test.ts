import { describe, expect, it } from 'vitest'
import { pageForLinks } from '../../programs/network/api/page-address.ts'
import { withSettings } from '../../programs/host/settings.ts'
import { parseAddress } from '../../src/folding/address/address.ts'
import { logLevel, stripAnsi } from '../../src/folding/log/log-line.ts'
import { parseInterval, parseTime } from '../../src/folding/text/times.ts'
import {
  checkEmail,
  checkClientName,
  checkNode,
  checkPasskey,
  checkTeam,
  checkTeamName,
  checkTeamUrl,
  checkUser,
} from '../../src/folding/shared/validation.ts'
import { safeWebUrl, safeImage } from '../../src/folding/address/web-address.ts'
import { decodeBase64 } from '../../src/protocol/crypto/base64.ts'
import { parseMessage } from '../../src/protocol/json.ts'
import { readLogMessage } from '../../src/protocol/client/log-message.ts'
import { parseVersion } from '../../src/protocol/client/version.ts'

const LENGTH = 100_000

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  stripAnsi,
  logLevel,
  parseInterval,
  parseTime,
  parseAddress,
  parseVersion,
  decodeBase64,
  parseMessage,
  readLogMessage,
  'readLogMessage of a log': text => readLogMessage(`["log",-2,[${JSON.stringify(text)}]]`),
  safeWebAddress: safeWebUrl,
  shownPicture: safeImage,
  'shownPicture of data': text => safeImage(`data:image/png;base64,${text}`),
  checkEmail,
  checkClientName,
  checkNode,
  checkPasskey,
  checkTeam,
  checkTeamName,
  checkTeamUrl,
  checkUser,
  'pageForLinks of the network': text => {
    try {
      return pageForLinks('verify_url', `http://localhost/${text}`, '/verify', ['http://localhost'])
    } catch (error) {
      return error
    }
  },
  'withSettings of the network': text => withSettings('<head></head>', { 'api-url': text }),
}

const LINE = '12:34:56:I1:'
const pieces: readonly string[] = [
  ...['a', 'A', '0', ' ', '-', '.', ':', '/', '=', '@', '"', '\\', '<', '&', '%', '[', '{', '\n', '\t', '_', '::'],
  ...['a.', '1.', '1 ', '1d', 'a@', 'é', '🧬', '\ud800', '\u001b', '\u001b[', '\u001b[0;', '\u001b[0m', '12:34:56:'],
]

/** A run of something, before an end that fits nothing. */
function textsOf(piece: string): readonly string[] {
  const run = piece.repeat(Math.floor(LENGTH / piece.length))
  return [run, `${run}!`, `!${run}`, `${LINE}${run}`, `a@${run}!`]
}

describe('texts of 100,000 characters from outside', () => {
  it.each(Object.entries(readers))('are read by %s in less than a second each', (_, read) => {
    for (const piece of pieces)
      for (const text of textsOf(piece)) {
        const begun = process.cpuUsage()
        read(text)
        expect(process.cpuUsage(begun).user / 1000, JSON.stringify(text.slice(0, 30))).toBeLessThan(1000)
      }
  })
})
