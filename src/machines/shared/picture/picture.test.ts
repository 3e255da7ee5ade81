import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { LoadError, loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import type { PictureResult } from './picture.events.ts'
import { pictureMachine } from './picture.machine.ts'
import { selectPictureFault } from './picture.selectors.ts'

const file = new Blob(['x'])
const made: PictureResult = { ok: true, data: 'data:image/webp;base64,AAAA' }

function startPicture(...answers: (PictureResult | Error)[]) {
  const { actor, received } = startChild(
    pictureMachine.provide({
      actors: {
        scalePicture: fromPromise<PictureResult, { readonly file: Blob }>(() => {
          const answer = answers.shift() ?? made
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
        }),
      },
    }),
    { id: 'avatar' },
  )
  return { actor, received, snapshot: () => actor.getSnapshot() }
}

describe('a picture', () => {
  it('is sent to the parent when its file was scaled', async () => {
    const { actor, received, snapshot } = startPicture()
    actor.send({ type: 'picture.choose', file })
    expect(snapshot().hasTag('busy')).toBe(true)
    await settled()
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(received).toEqual([{ type: 'picture.made', id: 'avatar', data: 'data:image/webp;base64,AAAA' }])
  })

  it.each([
    [{ ok: false, fault: 'too-small' }, 'The picture is too small. Choose one of at least 32 × 32 pixels.'],
    [{ ok: false, fault: 'too-large' }, 'The picture is too large. The limits are 32 MB and 100 million pixels.'],
    [new Error('crash'), 'The browser cannot read this file as a picture.'],
  ] as const)('that cannot be made is explained until another is chosen (%o)', async (answer, words) => {
    const { actor, received, snapshot } = startPicture(answer)
    actor.send({ type: 'picture.choose', file })
    await settled()
    expect({ pictureFault: selectPictureFault(snapshot()), received }).toEqual({ pictureFault: words, received: [] })
    actor.send({ type: 'picture.choose', file })
    expect(selectPictureFault(snapshot())).toBeUndefined()
  })

  it('reports when the scaling code could not be loaded', async () => {
    const { actor, snapshot } = startPicture(new LoadError('serverAway'))
    actor.send({ type: 'picture.choose', file })
    await settled()
    expect(selectPictureFault(snapshot())).toBe(loadFaultTexts.serverAway)
  })

  it('reaches all its states', () => {
    const id = '0.picture.scaling'
    const { unreached } = walkShortestPaths(pictureMachine, {
      input: { id: 'avatar' },
      events: [
        { type: 'picture.choose', file },
        { type: `xstate.done.actor.${id}`, actorId: id, output: made },
        { type: `xstate.done.actor.${id}`, actorId: id, output: { ok: false, fault: 'unreadable' } },
      ],
      silence: ['notifyParent'],
      context: ({ fault }) => fault,
    })
    expect(unreached).toEqual([])
  })
})
