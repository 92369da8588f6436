import java.lang.reflect.Field;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * Starts DynamoDB Local like its own main class, with three changes for which it has no options. It
 * listens only on the loopback interface. It uses the port in the property "port", or a free port,
 * and prints it. It exits when its standard input ends, and thus even after a crash of its parent
 * process.
 *
 * The class file is checked in, because running it needs only a JRE, but compiling it needs a JDK.
 * The README.md in this folder has the command.
 */
public final class LoopbackServer {
  public static void main(String[] arguments) throws Exception {
    try {
      start(arguments);
      while (System.in.read() != -1) {}
      Runtime.getRuntime().halt(0);
    } catch (Throwable error) {
      // Threads that have already started would keep the process running.
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void start(String[] arguments) throws Exception {
    DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments);
    Field field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    ServerConnector connector = (ServerConnector) ((Server) field.get(dynamodb)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.getInteger("port", 0));
    dynamodb.safeStart();
    System.out.println("LISTENING " + connector.getLocalPort());
  }
}
