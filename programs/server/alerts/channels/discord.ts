import type { Gravity } from '../../../../src/folding/incidents/incident.ts'
import { shortened } from './channel.ts'
import { chatWebhook } from './chat-webhook.ts'

const COLORS: Readonly<Record<Gravity, number>> = { grave: 0xd0342c, warning: 0xc77700, notice: 0x2f6fc4 }

function withoutMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_~|<>[\]()#-]/g, sign => `\\${sign}`)
}

/** Signs of Discord's Markdown are escaped, and no mention is sent. */
export const discord = chatWebhook('discord', {
  label: 'Discord',
  sends: 'a message by an incoming webhook',
  payload: ({ title, body, gravity, link }) => ({
    username: 'Foldboard',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: shortened(withoutMarkdown(title), 250),
        description: shortened(withoutMarkdown(body), 4000),
        color: gravity === undefined ? 0x2e7d4f : COLORS[gravity],
        ...(link === undefined ? {} : { url: link }),
      },
    ],
  }),
})
