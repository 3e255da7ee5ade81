import * as v from 'valibot'
import type { Gravity } from '../../../../src/folding/incidents/incident.ts'
import { secret, webAddress } from '../../config/fields.ts'
import { channelKind, shortened } from './channel.ts'
import { callHttp, JSON_TYPE } from './http-call.ts'

const PRIORITIES: Readonly<Record<Gravity, number>> = { grave: 5, warning: 4, notice: 3 }
const TAGS: Readonly<Record<Gravity, string>> = {
  grave: 'rotating_light',
  warning: 'warning',
  notice: 'information_source',
}

/** https://docs.ntfy.sh/publish: as JSON, so that texts need no escapes. */
export const ntfy = channelKind('ntfy', {
  label: 'ntfy',
  sends: 'a notification whose priority follows the gravity',
  settings: {
    url: v.pipe(v.optional(webAddress, 'https://ntfy.sh'), v.description('The ntfy server.')),
    topic: v.pipe(
      v.string('must be text in quotes'),
      v.regex(/^[\w-]{1,64}$/, 'must have 1 to 64 letters, digits, dashes or underscores'),
      v.description('Who knows it can read the messages.'),
    ),
    token: v.pipe(secret, v.description('Access token, where the topic needs one.')),
  },
  secrets: ['token'],
  open: ({ name, url, topic, token }, { now }) => ({
    isRepeatable: false,
    send: ({ title, body, gravity, link }) =>
      callHttp(
        name,
        url,
        {
          method: 'POST',
          headers: { ...JSON_TYPE, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
          body: JSON.stringify({
            topic,
            title: shortened(title, 250),
            message: shortened(body, 3500),
            priority: gravity === undefined ? 3 : PRIORITIES[gravity],
            tags: [gravity === undefined ? 'white_check_mark' : TAGS[gravity]],
            ...(link === undefined ? {} : { click: link }),
          }),
        },
        now,
      ),
  }),
})
