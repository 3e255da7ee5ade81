/** A reason why the program cannot start. The message is for the user. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}
