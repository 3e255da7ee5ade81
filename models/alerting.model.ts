import { setup } from 'xstate'

/**
 * Messages of the server about an incident: to the phone at once, by mail half an hour later unless it was acknowledged. Not
 * covered: several persons, digests, what is told of whom, and a receiver that refuses messages.
 */
export const alertingModel = setup({
  types: {
    events: {} as
      | { type: 'something goes wrong' }
      | { type: 'acknowledge it' }
      | { type: 'let half an hour pass' }
      | { type: 'it ends' }
      | { type: 'the phone fails' }
      | { type: 'the phone works again' }
      | { type: 'the night begins' }
      | { type: 'the morning comes' }
      | { type: 'start the server again' },
  },
}).createMachine({
  id: 'alerting',
  initial: 'well',
  states: {
    well: {
      description: 'No message is sent.',
      on: { 'something goes wrong': 'told', 'the phone fails': 'unreachable', 'the night begins': 'night' },
    },
    told: {
      description: 'The phone has one message; the mail has none.',
      on: {
        'acknowledge it': 'known',
        'let half an hour pass': 'escalated',
        'it ends': 'over',
        'start the server again': 'restarted',
      },
    },
    restarted: {
      description: 'Nothing is told a second time.',
      on: { 'let half an hour pass': 'escalated' },
    },
    known: { description: 'No other message is sent, however long it lasts.', on: { 'it ends': 'over' } },
    over: { description: 'The phone has a message of the end too; the mail has none.' },
    escalated: { description: 'Phone and mail have one message each.', on: { 'it ends': 'overForAll' } },
    overForAll: { description: 'Phone and mail have a message of the end too.' },
    unreachable: { description: 'No message is sent.', on: { 'something goes wrong': 'unsent' } },
    unsent: {
      description: 'The phone was tried, and has no message.',
      on: { 'the phone works again': 'toldLate' },
    },
    toldLate: { description: 'The phone has one message.' },
    night: { description: 'It is quiet; no message is sent.', on: { 'something goes wrong': 'held' } },
    held: {
      description: 'No message is sent, however long it lasts.',
      on: { 'the morning comes': 'escalated', 'it ends': 'spared' },
    },
    spared: { description: 'No message is sent, also after the night: it is over.' },
  },
})
