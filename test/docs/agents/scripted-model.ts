type Input = Record<string, unknown>;
type Tools = Record<string, (input: Input) => Promise<string>>;

/** What the model does next, when it has seen these results of its tools. */
type Turn = (results: readonly string[]) => { tool: string; input: Input };

/** A model that follows a script, with the loop of an agent around it: each result of a tool goes back to the model. */
export const scriptedModel = (script: readonly Turn[]) => ({
  run: async (tools: Tools): Promise<string[]> => {
    const results: string[] = [];
    for (const turn of script) {
      const { tool, input } = turn(results);
      const execute = tools[tool];
      if (!execute) throw new Error(`There is no tool ${tool}`);
      results.push(await execute(input));
    }
    return results;
  },
});
