import { shortened } from './channel.ts'
import { chatWebhook } from './chat-webhook.ts'

/** `&`, `<` and `>` are Slack's controls: mentions and links begin with them. */
function withoutControls(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('*', '∗')
}

export const slack = chatWebhook('slack', {
  label: 'Slack or compatible',
  sends: 'a message by an incoming webhook of Slack, Mattermost or Rocket.Chat',
  payload: ({ title, body, link }) => {
    const text = shortened(`*${withoutControls(title)}*\n${withoutControls(body)}`, 3500)
    return { text: link === undefined ? text : `${text}\n<${link}>` }
  },
})
