import { NotFoundError } from '../../util/errors.ts'
import type { Answer } from '../http/answer.ts'
import { answerFixed } from '../http/fixedBody.ts'
import type { Exchange } from '../http/route.ts'
import { buildingPage, reloadScript } from './buildingPage.ts'
import { type BuiltConsole, type ConsoleFiles, type ConsoleState, createConsoleFiles } from './consoleFiles.ts'

export type ConsoleAnswers = {
  /** The page, or a self-reloading page while the console is built. undefined: this process has no console. */
  page(exchange: Exchange): Promise<Answer> | undefined
  /**
   * Any path below `/console/`: a file of the build, else the page, whose view depends on the path. Throws
   * NotFoundError.
   */
  below(path: string, exchange: Exchange): Promise<Answer>
}

/** Answers from the console's state at each request. */
export function createConsoleAnswers(state: () => ConsoleState): ConsoleAnswers {
  let known: { built: BuiltConsole; files: ConsoleFiles } | undefined

  function filesOf(built: BuiltConsole): ConsoleFiles {
    if (known?.built !== built) known = { built, files: createConsoleFiles(built) }
    return known.files
  }

  function page(exchange: Exchange): Promise<Answer> | undefined {
    const now = state()
    if (now.status === 'absent') return undefined
    return answerFixed(now.status === 'ready' ? filesOf(now.files).page : buildingPage, exchange)
  }

  return {
    page,
    async below(path, exchange) {
      const now = state()
      const asset = now.status === 'ready' ? filesOf(now.files).asset(path) : undefined
      if (asset) return answerFixed(asset, exchange)
      // Also after the build: the requesting page was answered before.
      if (path === 'reload.js' && now.status !== 'absent') return answerFixed(reloadScript, exchange)
      if (path.startsWith('assets/'))
        throw new NotFoundError(`the console has no file ${JSON.stringify(path.slice(0, 80))}`)
      const answer = page(exchange)
      if (!answer) throw new NotFoundError('this server has no console; docs/console.md lists possible reasons')
      return answer
    },
  }
}
