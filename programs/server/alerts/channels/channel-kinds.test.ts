import * as v from 'valibot'
import { expect, test } from 'vitest'
import { channelKinds } from './channel-kinds.ts'

function settingLine(name: string, setting: v.GenericSchema, isSecret: boolean): string {
  const fallback: unknown = Reflect.get(setting, 'default')
  const notes = [
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(isSecret ? ['secret'] : []),
  ]
  return `- \`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: ${v.getDescription(setting) ?? ''}`
}

function descriptionOf({ kind, label, sends, secrets, schema }: (typeof channelKinds)[number]): string {
  const secretNames = new Set<string>(secrets)
  const lines = Object.entries<v.GenericSchema>(schema.entries).flatMap(([name, setting]) =>
    ['kind', 'name', 'language'].includes(name) ? [] : [settingLine(name, setting, secretNames.has(name))],
  )
  return [`## ${label}`, `\`kind = "${kind}"\`: ${sends}.`, ...(lines.length === 0 ? [] : [lines.join('\n')])].join(
    '\n\n',
  )
}

test('docs/channels.md describes all kinds of channels; `npx vitest run channel-kinds -u` writes it', async () => {
  const text = [
    '# Channels of alerts',
    'The kinds of `[[channels]]` with their settings besides `name` and `language`. [docs/server.md](server.md#incidents-and-alerts) says how channels are used.',
    ...channelKinds.map(descriptionOf),
  ].join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot('../../../../docs/channels.md')
})

test('each setting of a channel is described, and each kind is found by its own name', () => {
  for (const { kind, schema } of channelKinds) {
    expect(schema.entries.kind.literal).toBe(kind)
    for (const [name, setting] of Object.entries<v.GenericSchema>(schema.entries))
      if (name !== 'kind' && name !== 'name') expect(v.getDescription(setting), name).toEqual(expect.any(String))
  }
})
