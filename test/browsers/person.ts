import type { Engine } from './engine.ts'

/** Milliseconds: a browser without a graphics card on a busy computer. */
export const PATIENCE = 90_000

type Point = { readonly x: number; readonly y: number }

/** An expression for the first visible element of a selector whose name or text fits. */
export function called(selector: string, name: RegExp): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})].find(element =>
    element.checkVisibility() && ${String(name)}.test(element.getAttribute('aria-label') ?? element.textContent.trim()))`
}

/** Presses OK where it is said, once after signing in, that the client on this computer was linked. */
const READ_NOTICE = `[...document.querySelectorAll('[role=dialog]')]
  .find(dialog => dialog.textContent.includes('Auto-linking client'))?.querySelector('button:last-of-type')?.click()`

/** What a person does in an engine, and waits for. Elements are expressions. */
export function personAt(engine: Engine) {
  const until = async (expression: string): Promise<void> => {
    const end = performance.now() + PATIENCE
    while ((await engine.evaluate(`(${READ_NOTICE}, Boolean(${expression}))`)) !== true) {
      if (performance.now() > end) {
        const page = await engine.evaluate('location.href + document.body.innerText.slice(0, 2000)')
        throw new Error(`Never came: ${expression}\n${String(page)}`)
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  const boxOf = async (element: string) => {
    await until(element)
    return (await engine.evaluate(`(element => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x, y, width, height }
    })(${element})`)) as Point & { readonly width: number; readonly height: number }
  }
  const drag = ([start, ...others]: readonly Point[]): Promise<void> => {
    const moveTo = (point: Point | undefined) => ({
      type: 'pointerMove',
      duration: 50,
      x: Math.round(point?.x ?? 0),
      y: Math.round(point?.y ?? 0),
    })
    return engine.perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        moveTo(start),
        { type: 'pointerDown', button: 0 },
        ...others.map(moveTo),
        { type: 'pointerUp', button: 0 },
      ],
    })
  }
  return {
    until,
    boxOf,
    /** With the mouse, past these points. */
    drag,
    press: async (element: string): Promise<void> => {
      const { x, y, width, height } = await boxOf(element)
      await drag([{ x: x + width / 2, y: y + height / 2 }])
    },
    write: (text: string): Promise<void> =>
      engine.perform({
        type: 'key',
        id: 'keyboard',
        actions: Array.from(text).flatMap(value => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      }),
    /** Goes to a screen without loading everything again. */
    follow: async (path: string): Promise<void> => {
      // The screen before stays until the code of the next is there.
      const isOther = `location.pathname.split('/')[1] !== ${JSON.stringify(path.split(/[/?]/)[1])}`
      await engine.evaluate(`(${isOther} && document.querySelector('h1')?.setAttribute('data-left', ''),
        history.pushState(undefined, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate')))`)
      await until(`document.querySelector('h1:not([data-left])')`)
    },
  }
}
