// Reads compose files as `docker compose config --format json` does, with the variables of the environment: the parser is
// Compose's own. Usage: compose FILE…
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if err := printProject(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printProject(files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithOsEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	json, err := project.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(json)
	return err
}
