module perigee.local/temporalserver

go 1.26

require go.temporal.io/server v1.32.1
